/** CVE-2024-24557: the legacy builder takes any local image as cache after `FROM scratch`, even a pulled one. */
export function hasPoisonableCache(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number)
  const fixed = { 24: 9, 25: 2 }[major]
  return major < 24 || (fixed !== undefined && minor === 0 && patch < fixed)
}
