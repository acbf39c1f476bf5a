import type { BuildLimits } from './builtin-builder.ts'

export function failureHint(
  message: string,
  lastLines: readonly string[],
  limits: Pick<BuildLimits, 'memoryBytes' | 'pids'>
): string | undefined {
  const hasLine = (pattern: RegExp) => lastLines.some((line) => pattern.test(line))
  // Messages of dash, bash, busybox, and fork(2)'s EAGAIN.
  if (hasLine(/\b(can't|cannot) fork\b|Resource temporarily unavailable|EAGAIN/i))
    return `It reached the limit of ${limits.pids} processes per build.`
  // 137 is 128 + SIGKILL, the OOM killer. Some programs report that a child was killed instead.
  if (
    /(?:non-zero|exit) code: 137$/.test(message) ||
    hasLine(/\bSIGKILL\b|^\s*Killed\b|heap out of memory|Cannot allocate memory/)
  )
    return `It was killed, most likely because it exceeded the limit of ${Math.floor(limits.memoryBytes / 2 ** 20)} MiB of memory per build.`
  if (hasLine(/\bsharp: Installation error\b/))
    return (
      'sharp before 0.33 downloads its libraries from GitHub, which this server cannot reach. Use a newer version, with ' +
      '"overrides": {"sharp": "^0.33.5"} in package.json if it is an indirect dependency, or add a Dockerfile with libvips.'
    )
  return undefined
}
