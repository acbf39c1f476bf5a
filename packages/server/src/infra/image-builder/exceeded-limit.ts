import type { BuildLimits } from './builtin-builder.ts'

/** The limit that a failed build most likely met, in a sentence for its owner. */
export function exceededLimit(
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
  return undefined
}
