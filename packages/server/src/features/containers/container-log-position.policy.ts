import type { LogPosition } from '../../infra/container-engine/container-engine.ts'

const idLength = 12

export const cursorOf = (containerId: string, { time, count }: LogPosition): string =>
  `${containerId.slice(0, idLength)}_${time}_${count}`

/** The position in this container's log; undefined where the reader was in another one's. */
export function positionIn(containerId: string, cursor: string | undefined): LogPosition | undefined {
  const [id, time, count] = cursor?.split('_') ?? []
  return id === containerId.slice(0, idLength) ? { time: time!, count: Number(count) } : undefined
}
