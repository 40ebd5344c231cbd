/** Says why there are no previews, in the console, for whoever made the page. */
export function tellFailure(error: unknown): undefined {
  console.error('page-preview cannot start:', error)
}
