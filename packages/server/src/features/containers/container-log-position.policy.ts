import type { LogPosition } from '../../infra/container-engine/container-engine.ts'

/** Where a reader of a project's log is, as a text: in which container, and where in its log. */
export const cursorOf = (containerId: string, { time, count }: LogPosition): string => `${containerId}_${time}_${count}`

/** The position in this container's log; undefined where the reader was in another one's. */
export function positionIn(containerId: string, cursor: string | undefined): LogPosition | undefined {
  const [id, time, count] = cursor?.split('_') ?? []
  if (id !== containerId || Number.isNaN(Date.parse(time!))) return undefined
  return { time: time!, count: Number(count) }
}
