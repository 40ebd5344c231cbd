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
      const link = createElement('a', { href: url }, title || url)
      return createElement(
        'div',
        useBlockProps.save(),
        createElement('page-preview', { url, screenshot: 'true' }, link),
      )
    },
  })
})(wp)
