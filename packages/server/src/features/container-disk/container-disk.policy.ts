import { type NotificationCode, notificationTexts } from '@panel/contract/notification-texts'
import { sentenceText, type Sentence } from '@panel/contract/sentences'

/** Limits for what a container may write to its own writable layer. */
export interface ContainerLimits {
  bytes: number
  files: number
}

export type ContainerStop = 'CONTAINER_DISK_LIMIT' | 'CONTAINER_FILES_LIMIT'

/** Part of a limit above which the owner is warned. */
export const warningAt = 0.8

export function evaluateLayer(
  layer: { bytes: number; files: number | null },
  limits: ContainerLimits
): { stop: ContainerStop | undefined; isNear: boolean } {
  const [bytes, files] = [layer.bytes / limits.bytes, (layer.files ?? 0) / limits.files]
  const stop = bytes > 1 ? 'CONTAINER_DISK_LIMIT' : files > 1 ? 'CONTAINER_FILES_LIMIT' : undefined
  return { stop, isNear: Math.max(bytes, files) > warningAt }
}

/** True once the disk has lost as much since the last measurement as one container may write. */
export const isMeasurementDue = (free: { atMeasurement: number; now: number }, limits: ContainerLimits): boolean =>
  free.atMeasurement - free.now > limits.bytes

type Layer = { bytes: number; files: number | null }

function usageSentences(layer: Layer, limits: ContainerLimits): Sentence<NotificationCode>[] {
  const [written, limit] = [inMebibytes(layer.bytes), inMebibytes(limits.bytes)]
  return [
    { code: 'CONTAINER_WROTE_BYTES', values: { written, limit } },
    ...(layer.files === null
      ? []
      : [{ code: 'CONTAINER_WROTE_FILES', values: { written: layer.files, limit: limits.files } } as const])
  ]
}

export const nearSentences = (layer: Layer, limits: ContainerLimits): Sentence<NotificationCode>[] => [
  ...usageSentences(layer, limits),
  { code: 'CONTAINER_NEAR' },
  { code: 'WITHOUT_WHAT_WAS_WRITTEN' }
]

export const stopSentences = (layer: Layer, limits: ContainerLimits): Sentence<NotificationCode>[] => [
  { code: 'CONTAINER_STOPPED' },
  ...usageSentences(layer, limits),
  { code: 'WITHOUT_WHAT_WAS_WRITTEN' }
]

export const accountFull: Sentence<NotificationCode>[] = [{ code: 'ACCOUNT_DISK_FULL' }]

const inLog = (sentences: Sentence<NotificationCode>[]) => `\n${sentenceText(notificationTexts, sentences)}\n`

export const warningLine = (layer: Layer, limits: ContainerLimits): string => inLog(nearSentences(layer, limits))

export const stopLine = (layer: Layer, limits: ContainerLimits): string => inLog(stopSentences(layer, limits))

const inMebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
