/**
 * Linux gives arguments and environment of a new process a quarter of its stack limit, which is 2 MiB with the usual 8 MiB
 * (execve(2) "Limits on size of arguments and environment"); some of it is left for the arguments and what is not ours.
 */
const maxBytes = 2 * 1024 * 1024 - 256 * 1024
const bytesPerPointer = 8

/** Why no process could be started with these variables, in a sentence for their owner. */
export function environmentProblem(env: Readonly<Record<string, string>>): string | undefined {
  const bytes = Object.entries(env).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value) + '=\0'.length + bytesPerPointer,
    0
  )
  if (bytes <= maxBytes) return undefined
  const kib = (count: number) => Math.round(count / 1024)
  return `The variables of this project take ${kib(bytes)} KiB together; a process can be given ${kib(maxBytes)} KiB. Put large values into files`
}
