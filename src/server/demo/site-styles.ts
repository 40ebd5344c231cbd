/** The one style sheet of the sample site: system fonts, both colour schemes, both directions of writing. */
export const siteStyles = `
:root {
  color-scheme: light dark;
  --paper: #f7f2e9; --card: #fffdf8; --ink: #1b2342; --soft: #5d6179; --line: #e2d9c8; --accent: #b8472f; --on-accent: #fff9f0;
  --sky-top: #2b3a67; --sky-bottom: #f2b28c; --far-hills: #8d7691; --near-hills: #4d4a70;
  --moon: #fff3d6; --reeds: #1b2342; --heads: #c8553d; --water: #39426f;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', sans-serif;
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, 'DejaVu Serif', serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0c1222; --card: #141c31; --ink: #eef0f8; --soft: #a3abc4; --line: #26304c; --accent: #f0a35c; --on-accent: #1a1206;
    --sky-top: #070b18; --sky-bottom: #24365f; --far-hills: #1b2949; --near-hills: #121d38;
    --moon: #f7e3b5; --reeds: #7f96c9; --heads: #f0a35c; --water: #0a1124;
  }
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--paper); color: var(--ink); font: 400 1rem/1.65 var(--sans); -webkit-text-size-adjust: 100%; }
main, .bar, .foot { inline-size: min(100% - 3rem, 72rem); margin-inline: auto; }
h1, h2, blockquote, .time, .price b { font-family: var(--serif); font-weight: 500; line-height: 1.14; letter-spacing: -.022em; text-wrap: balance; }
h1 { font-size: clamp(2.1rem, 4.6vw, 3.5rem); }
h2 { font-size: 1.4rem; }
a { color: inherit; text-decoration-color: var(--accent); text-decoration-thickness: .09em; text-underline-offset: .22em; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
svg, img { display: block; max-inline-size: 100%; block-size: auto; }
.kicker { color: var(--accent); font-size: .8rem; font-weight: 650; letter-spacing: .09em; text-transform: uppercase; margin-block-end: .9rem; }
.lead { color: var(--soft); font-size: 1.15rem; margin-block-start: 1.1rem; text-wrap: pretty; }
.small { color: var(--soft); font-size: .85rem; }
.button { background: var(--accent); border: 1.5px solid var(--accent); border-radius: 999px; color: var(--on-accent); display: inline-block; font-weight: 600; padding: .62rem 1.35rem; text-decoration: none; }
.button.outline { background: none; border-color: var(--line); color: inherit; }
.button:hover { filter: brightness(1.08); }
.actions { align-items: center; display: flex; flex-wrap: wrap; gap: 1.4rem; margin-block-start: 1.9rem; }

.bar { align-items: center; display: flex; gap: 1.5rem; justify-content: space-between; padding-block: 1.1rem; }
.brand { align-items: center; display: flex; font: 600 1.15rem/1 var(--serif); gap: .6rem; text-decoration: none; }
.brand svg { block-size: 2rem; inline-size: 2rem; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; }
nav a { color: var(--soft); font-size: .93rem; text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--ink); }
nav a[aria-current] { box-shadow: 0 .3rem 0 -.18rem var(--accent); }

.hero { border-radius: 1.6rem; color: #fff8ec; display: grid; isolation: isolate; min-block-size: min(36rem, 74vh); overflow: hidden; position: relative; }
.hero > svg { block-size: 100%; inline-size: 100%; inset: 0; position: absolute; z-index: -1; }
.hero::after { background: linear-gradient(90deg, #141b38cc, #141b3800 62%); content: ''; inset: 0; position: absolute; z-index: -1; }
.hero-words { max-inline-size: 36rem; padding: clamp(1.6rem, 3.4vw, 2.8rem) clamp(1.6rem, 5vw, 4rem); }
.hero .kicker { color: #ffdcae; }
.hero .lead { color: #f4e8df; max-inline-size: 27rem; text-shadow: 0 1px 14px #1b234288; }
.hero h1 { text-shadow: 0 2px 24px #1b234266; }
.hero .button { background: #fff3d6; border-color: #fff3d6; color: #1b2342; }
.hero .quiet { font-weight: 600; text-decoration-color: #ffdcae; }

.reasons { display: grid; gap: 2.2rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); padding-block: 3.6rem; }
.reasons div { border-block-start: 2px solid var(--accent); padding-block-start: 1.1rem; }
.reasons p, .night p, .plan p, .plan li, dd { color: var(--soft); }
.reasons p { margin-block-start: .5rem; }
.night { align-items: center; background: var(--card); border: 1px solid var(--line); border-radius: 1.6rem; display: grid; gap: 2rem 4rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); padding: clamp(1.6rem, 4vw, 3rem); }
.night h2 { font-size: clamp(1.5rem, 2.6vw, 2rem); }
.night p { margin-block-start: .9rem; }
.heard { list-style: none; padding: 0; }
.heard li { align-items: center; display: grid; gap: .2rem 1rem; grid-template-columns: 3.4rem 1fr 5.5rem; padding-block: .7rem; }
.heard li + li { border-block-start: 1px solid var(--line); }
.heard time { color: var(--accent); font-variant-numeric: tabular-nums; font-weight: 600; }
.heard i { color: var(--soft); display: block; font-size: .85rem; }
meter { appearance: none; background: var(--line); block-size: .4rem; border: 0; border-radius: 9px; inline-size: 100%; overflow: hidden; }
meter::-webkit-meter-bar { background: var(--line); block-size: .4rem; border: 0; border-radius: 9px; }
meter::-webkit-meter-optimum-value { background: var(--heads); border-radius: 9px; }
meter::-moz-meter-bar { background: var(--heads); border-radius: 9px; }
.voice { margin-block: 4.5rem; text-align: center; }
.voice p { font-size: clamp(1.5rem, 3.4vw, 2.2rem); }
.voice footer { color: var(--soft); font: .95rem var(--sans); letter-spacing: 0; margin-block-start: 1rem; }

.intro { margin: 2.6rem auto 2.8rem; max-inline-size: 44rem; text-align: center; }
.plans { align-items: stretch; display: grid; gap: 1.4rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.plan { background: var(--card); border: 1px solid var(--line); border-radius: 1.4rem; display: flex; flex-direction: column; gap: .9rem; padding: 1.9rem 1.8rem; }
.plan.best { border: 2px solid var(--accent); box-shadow: 0 1.4rem 3rem -1.8rem var(--accent); }
.plan ul { border-block-start: 1px solid var(--line); flex: 1; list-style: none; padding: .9rem 0 .6rem; }
.plan li { padding-block: .22rem; padding-inline-start: 1.5rem; position: relative; }
.plan li::before { background: var(--heads); block-size: .95rem; border-radius: 9px; content: ''; inline-size: .26rem; inset-block-start: .58rem; inset-inline-start: .2rem; position: absolute; }
.plan .button { text-align: center; }
.price b { color: var(--ink); font-size: 2.7rem; }
.tag { background: var(--accent); border-radius: 99px; color: var(--on-accent); font: 600 .7rem/1 var(--sans); letter-spacing: .02em; padding: .34rem .65rem; vertical-align: middle; }
.questions { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); margin-block: 3.4rem; }
dt { font-weight: 600; }
dd { margin-block-start: .35rem; }

.story { font-size: 1.08rem; margin: 2.6rem auto 4rem; max-inline-size: 42rem; }
.story > * + * { margin-block-start: 1.35rem; }
.story h1 { font-size: clamp(2rem, 4.2vw, 2.9rem); }
.story h2 { margin-block-start: 2.6rem; }
.story > :is(figure, blockquote) { margin-block: 2.4rem; }
.by { color: var(--soft); font-size: .92rem; margin-block-start: 1.2rem; }
figure svg, figure img { border-radius: 1.1rem; }
figcaption { color: var(--soft); font-size: .88rem; margin-block-start: .7rem; }
.wide { margin-inline: min(0rem, (42rem - min(72rem, 100vw - 3rem)) / 4); }
.sound { background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem; padding: 1.1rem 1.3rem; }
.sound figcaption { margin: 0 0 .8rem; }
audio { display: block; inline-size: 100%; }
.story blockquote { border-inline-start: 4px solid var(--accent); font-size: 1.7rem; padding-inline-start: 1.4rem; }
.note { border-block-start: 1px solid var(--line); color: var(--soft); font-size: .93rem; margin-block-start: 3rem; padding-block-start: 1.2rem; }
[lang=ar] :is(h1, h2, blockquote) { letter-spacing: 0; line-height: 1.4; }
[lang=ar] .kicker { letter-spacing: 0; }
[lang=ar] .story { line-height: 1.95; }

.now { align-content: center; display: grid; justify-items: center; min-block-size: 68vh; text-align: center; }
.now .lead { margin-block-start: .4rem; }
.time { font-size: clamp(4.2rem, 17vw, 12.5rem); font-variant-numeric: tabular-nums; line-height: 1; }
.day { background: var(--line); block-size: .5rem; border-radius: 99px; inline-size: min(34rem, 100%); margin-block: 2rem 1.6rem; overflow: hidden; }
.day i { background: var(--accent); block-size: 100%; border-radius: 99px; display: block; }

.foot { align-items: start; border-block-start: 1px solid var(--line); color: var(--soft); display: flex; flex-wrap: wrap; font-size: .88rem; gap: 1rem 3rem; justify-content: space-between; margin-block-start: 2rem; padding-block: 1.8rem 2.4rem; }
.foot p { flex: 1 1 22rem; max-inline-size: 40rem; }
@media (max-width: 34rem) {
  .bar { align-items: start; flex-direction: column; gap: .8rem; }
  main, .bar, .foot { inline-size: min(100% - 2rem, 72rem); }
  .hero { background: var(--sky-top); min-block-size: 0; }
  .hero > svg { block-size: 15rem; grid-row: 2; position: static; }
  .hero::after { display: none; }
  .hero-words { padding-block-end: 1rem; }
  .heard li { grid-template-columns: 3.2rem 1fr; }
  .heard meter { grid-column: 2; }
}
`
