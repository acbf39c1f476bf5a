/** Of the page for people. */
export const statusPath = (slug: string): string => `/status/${slug}`
