export const statusPath = (slug: string): string => `/status/${slug}`
