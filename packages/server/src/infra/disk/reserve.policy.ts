/**
 * What becomes of a file that keeps room free by taking it, of `bytes`: released where nearly nothing is free, so that the store can go on
 * while somebody makes room, and taken again only when that leaves enough, so that it does not come and go.
 */
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
