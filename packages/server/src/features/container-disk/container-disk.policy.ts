/** What a container may have in its own layer. */
export interface ContainerLimits {
  bytes: number
  files: number
}

export type ContainerStop = 'CONTAINER_DISK_LIMIT' | 'CONTAINER_FILES_LIMIT'

const warningAt = 0.8

/** Whole numbers that nothing which is to be judged lies below or at. */
export const warningFrom = ({ bytes, files }: ContainerLimits): ContainerLimits => ({
  bytes: Math.floor(bytes * warningAt),
  files: Math.floor(files * warningAt)
})

/** What becomes of a container by what is in its own layer: a reason to stop it, or the limits that it comes near. */
export function evaluateLayer(
  layer: { bytes: number; files: number | null },
  limits: ContainerLimits
): { stop: ContainerStop | undefined; isNear: boolean } {
  const [bytes, files] = [layer.bytes / limits.bytes, (layer.files ?? 0) / limits.files]
  const stop = bytes > 1 ? 'CONTAINER_DISK_LIMIT' : files > 1 ? 'CONTAINER_FILES_LIMIT' : undefined
  return { stop, isNear: Math.max(bytes, files) > warningAt }
}

/** Whether the disk has lost as much since the last measurement as one container may write: it is time for another. */
export const isMeasurementDue = (free: { atMeasurement: number; now: number }, limits: ContainerLimits): boolean =>
  free.atMeasurement - free.now > limits.bytes

const counted = (layer: { bytes: number; files: number | null }, limits: ContainerLimits): string =>
  [
    `${inMegabytes(layer.bytes)} of the ${inMegabytes(limits.bytes)} that it may (CONTAINER_DISK_LIMIT)`,
    ...(layer.files === null ? [] : [`${layer.files} of ${limits.files} files and directories (CONTAINER_FILES_LIMIT)`])
  ].join(', ')

/** For the log of its deployment. */
export const warningLine = (layer: { bytes: number; files: number | null }, limits: ContainerLimits): string =>
  `\nThe container has written ${counted(layer, limits)}; above a limit it is stopped. What is below /data does not count, and a new deployment begins without what was written.\n`

export const stopLine = (
  layer: { bytes: number; files: number | null },
  limits: ContainerLimits,
  reason: ContainerStop
): string =>
  `\nThe container is stopped (${reason}): it has written ${counted(layer, limits)}. A new deployment begins without what was written.\n`

export const accountFullLine =
  'The containers of the account are stopped: it has no disk space left, and they went on writing. Remove what is not needed, or ask for more, and start them again.'

const inMegabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`
