// A web font that arrives late moves text; this site has those of the system.
export { default } from 'vitepress/theme-without-fonts'
