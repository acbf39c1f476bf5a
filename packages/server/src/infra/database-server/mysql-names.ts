/** An identifier as MySQL and MariaDB read it. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** The name of a database in a grant is a pattern: unescaped, `a_b` would also be `axb`. */
export const grantPattern = (database: string): string => database.replace(/[\\_%]/g, '\\$&')
