/**
 * Copies and dumps that are left among the files of a site by accident, as a regular expression of RE2 and PCRE: databases,
 * backups of editors and tools, also compressed.
 */
export const neverServed = String.raw`(?i)\.(sql|sqlite|sqlite3|dump|bak|old|orig|save|swp)(\.(gz|bz2|xz|zst|zip|7z))?$|~$`

/** The files that configure a site, in its root. */
export const ruleFiles = { redirects: '_redirects', headers: '_headers' } as const
