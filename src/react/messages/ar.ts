import type { Messages } from './messages.js'

const tooSlow = 'استغرقت الصفحة وقتًا طويلًا للرد'

/** Arabic. */
export const ar: Messages = {
  locale: 'ar',
  dir: 'rtl',
  retry: 'إعادة المحاولة',
  updating: 'جارٍ التحديث',
  saved: (age) => `حُفظت ${age}`,
  screenshot: (host) => `لقطة شاشة من ${host}`,
  image: (host) => `صورة من ${host}`,
  audio: 'تشغيل الصوت',
  video: 'تشغيل الفيديو',
  loaded: 'المعاينة جاهزة الآن.',
  failed: (reason) => `لا معاينة: ${reason}.`,
  reasons: {
    EFATAL: 'حدث خطأ ما',
    EFATALCLIENT: 'لم ترد خدمة المعاينة',
    ETIMEOUTCLIENT: 'استغرقت خدمة المعاينة وقتًا طويلًا للرد',
    EUNREACHABLE: 'تعذّر الوصول إلى هذه الصفحة',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'هذا ليس عنوان صفحة',
    EFORBIDDENURL: 'هذا العنوان غير عام',
    EREMOVED: 'أزال مالك الصفحة معاينتها',
    EMAXREDIRECTS: 'تعيد هذه الصفحة التوجيه مرات كثيرة',
    ETOOLARGE: 'هذه الصفحة كبيرة جدًا',
    EELEMENT: 'هذا الجزء غير موجود في الصفحة',
    'EELEMENT.hidden': 'هذا الجزء من الصفحة مخفي',
    'EELEMENT.empty': 'هذا الجزء من الصفحة فارغ',
    EBUSY: 'يجري الآن إعداد معاينات كثيرة',
    ERATE: 'طُلبت معاينات كثيرة جدًا',
    EAUTH: 'تطلب خدمة المعاينة مفتاحًا',
  },
}
