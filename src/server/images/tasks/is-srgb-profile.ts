import { parse } from 'icc'

/** Profiles of sRGB have at most 3,144 bytes; large ones may have thousands of tags. */
const MAX_PROFILE_BYTES = 4_096

/** Whether a colour profile is one of sRGB, which is named in it; no profile is none. */
export function isSrgbProfile(profile: Buffer | undefined): boolean {
  if (!profile || profile.byteLength > MAX_PROFILE_BYTES) return false
  try {
    const { colorSpace, description } = parse(profile)
    return colorSpace === 'RGB' && /^sRGB\b/.test(description ?? '')
  } catch {
    // A damaged profile is left to the decoder.
    return false
  }
}
