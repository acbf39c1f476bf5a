/** Name of a volume's directory in a snapshot. */
export const volumeRoot = (name: string): string => `volumes/${name}`

/** Path in a snapshot of a path in the files of a project or, if it is given, of one of its volumes. */
export function snapshotPath(path: string, volume: string | null | undefined): string {
  const root = volume == null ? '/files' : `/${volumeRoot(volume)}`
  return path === '' ? root : `${root}/${path}`
}
