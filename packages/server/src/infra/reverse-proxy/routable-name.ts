// RFC 1123 §2.1. The last label is never all digits, so that no IPv4 address passes for a name.
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostnamePattern = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)+(?![0-9]+$)${label}$`)
const hostnameMaxLength = 253

/** Whether it is strictly a host name of two labels or more in lower case, or `*.<parent>`, and thus safe in any command. */
export const isRoutableName = (text: string): boolean => text.length <= hostnameMaxLength && hostnamePattern.test(text)
