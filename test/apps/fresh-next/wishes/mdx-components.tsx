export const useMDXComponents = () => ({})
