export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Database names in grants are LIKE patterns: unescaped, `a_b` would also match `axb`. */
export const grantPattern = (database: string): string => database.replace(/[\\_%]/g, '\\$&')
