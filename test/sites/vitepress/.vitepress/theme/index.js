// A web font that arrives late moves text; this site has the fonts of the system.
export { default } from 'vitepress/theme-without-fonts'
