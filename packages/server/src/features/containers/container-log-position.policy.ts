import type { LogPosition } from '../../infra/container-engine/container-engine.ts'

export const cursorOf = (containerId: string, { time, count }: LogPosition): string => `${containerId}_${time}_${count}`

/** Undefined if the cursor belongs to another container. */
export function positionIn(containerId: string, cursor: string | undefined): LogPosition | undefined {
  const [id, time, count] = cursor?.split('_') ?? []
  if (id !== containerId || Number.isNaN(Date.parse(time!))) return undefined
  return { time: time!, count: Number(count) }
}
