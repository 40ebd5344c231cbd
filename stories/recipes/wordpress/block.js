/* global wp */
;(({ blocks, element: { createElement }, blockEditor: { useBlockProps }, components: { TextControl } }) => {
  const control = (label, value, onChange) => createElement(TextControl, { key: label, label, value, onChange })

  blocks.registerBlockType('page-preview/card', {
    edit({ attributes: { url = '', title = '' }, setAttributes }) {
      return createElement('div', useBlockProps(), [
        control('Address', url, (value) => setAttributes({ url: value })),
        control('Title', title, (value) => setAttributes({ title: value })),
      ])
    },
    save({ attributes: { url, title } }) {
      // WordPress breaks tags whose attributes contain these characters.
      const href = url?.replace(/["<>]/g, encodeURIComponent)
      const link = createElement('a', { href }, title || url)
      const preview = createElement('page-preview', { url: href, screenshot: 'true' }, link)
      return createElement('div', useBlockProps.save(), preview)
    },
  })
})(wp)
