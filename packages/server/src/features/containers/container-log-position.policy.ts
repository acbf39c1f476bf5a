import type { LogPosition } from '../../infra/container-engine/container-engine.ts'

/** Cursor of a log reader: the container, and the position in its log. */
export const cursorOf = (containerId: string, { time, count }: LogPosition): string => `${containerId}_${time}_${count}`

/** The position in this container's log; undefined if the cursor belongs to another container. */
export function positionIn(containerId: string, cursor: string | undefined): LogPosition | undefined {
  const [id, time, count] = cursor?.split('_') ?? []
  if (id !== containerId || Number.isNaN(Date.parse(time!))) return undefined
  return { time: time!, count: Number(count) }
}
