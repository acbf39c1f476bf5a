/** Releases the reserve when the disk is nearly full, so that the store keeps running; takes it again with margin. */
export function reserveStep({
  free,
  bytes,
  isHeld
}: {
  free: number
  bytes: number
  isHeld: boolean
}): 'release' | 'take' | undefined {
  if (isHeld) return free < bytes / 8 ? 'release' : undefined
  return free >= 2.5 * bytes ? 'take' : undefined
}
