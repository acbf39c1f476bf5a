/**
 * Whether the builder of this version takes for a step after `FROM scratch` any image that says it was made by that step, also one that was
 * pulled (CVE-2024-24557, mended in 24.0.9 and 25.0.2).
 */
export function hasPoisonableCache(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number)
  const mended = { 24: 9, 25: 2 }[major]
  return major < 24 || (mended !== undefined && minor === 0 && patch < mended)
}
