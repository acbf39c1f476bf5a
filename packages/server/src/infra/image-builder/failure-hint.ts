import type { BuildLimits } from './builtin-builder.ts'

/** What a failed build has most likely met, in a sentence for its owner: a limit, or a package that cannot be had here. */
export function failureHint(
  message: string,
  lastLines: readonly string[],
  limits: Pick<BuildLimits, 'memoryBytes' | 'pids'>
): string | undefined {
  const hasLine = (pattern: RegExp) => lastLines.some((line) => pattern.test(line))
  // In the words of dash, bash, busybox and of EAGAIN from fork(2).
  if (hasLine(/\b(can't|cannot) fork\b|Resource temporarily unavailable|EAGAIN/i))
    return `It was refused one more process: a build may have BUILD_PIDS_LIMIT (${limits.pids}).`
  // 128 + SIGKILL: the kernel's way to end who is out of memory. Some programs notice the end of one of theirs.
  if (
    /non-zero code: 137$/.test(message) ||
    hasLine(/\bSIGKILL\b|^\s*Killed\b|heap out of memory|Cannot allocate memory/)
  )
    return `It was killed, most likely because it needed more memory than BUILD_MEMORY_LIMIT (${Math.floor(limits.memoryBytes / 2 ** 20)} MiB).`
  if (hasLine(/\bsharp: Installation error\b/))
    return (
      'sharp before 0.33 fetches its libraries from GitHub, which this server does not reach, and finds none to be compiled with: take a newer ' +
      'one, by "overrides": {"sharp": "^0.33.5"} in package.json where another package brings it, or add a Dockerfile that has libvips.'
    )
  return undefined
}
