const systemFlags = ['\\Seen', '\\Answered', '\\Flagged', '\\Draft', '\\Deleted']
const maxKeywords = 10

export function canonicalFlags(flags: Iterable<string>): string[] {
  const found = new Set<string>()
  let keywords = 0
  for (const flag of flags) {
    const known = systemFlags.find((each) => each.toLowerCase() === flag.toLowerCase())
    if (known !== undefined) found.add(known)
    else if (/^[$A-Za-z0-9_.-]{1,50}$/.test(flag) && keywords++ < maxKeywords) found.add(flag)
  }
  return [...found]
}
