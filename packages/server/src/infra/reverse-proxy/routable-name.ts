// RFC 1123 §2.1. A last label of digits only is refused, so that IPv4 addresses are not names.
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostnamePattern = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)+(?![0-9]+$)${label}$`)
const hostnameMaxLength = 253

/** Whether it is a lower-case hostname of at least two labels, or `*.<parent>`; safe in any command. */
export const isRoutableName = (text: string): boolean => text.length <= hostnameMaxLength && hostnamePattern.test(text)
