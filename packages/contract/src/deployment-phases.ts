/** In the order of the log. A deployment of a kept image begins with `start`. */
export const deploymentPhases = ['fetch', 'detect', 'install', 'build', 'release', 'start', 'check'] as const
export type DeploymentPhase = (typeof deploymentPhases)[number]
export type PhaseMark = DeploymentPhase | 'end'

/** The log line with which a phase begins, or the last one ends: `==> install 2026-01-31T12:00:00.000Z`. */
export const phaseLine = (mark: PhaseMark, at: Date): string => `==> ${mark} ${at.toISOString()}`

const pattern = new RegExp(`^==> (${deploymentPhases.join('|')}|end) (\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z)$`)

export interface LogPhase {
  name: DeploymentPhase
  /** 0-based index of its first line, the mark. */
  from: number
  /** Index after its last line. */
  to: number
  /** Null while it runs, and if the end is unknown. */
  ms: number | null
}

/**
 * The phases of a log. Marks that are out of order are output of the build and count as lines. Lines before the first
 * mark belong to no phase, and lines after `end` to the last one.
 */
export function phasesOf(lines: readonly string[]): LogPhase[] {
  const phases: (LogPhase & { startedAt: number })[] = []
  let hasEnded = false
  for (const [index, line] of lines.entries()) {
    const [, mark, time = ''] = line.startsWith('==> ') ? (pattern.exec(line) ?? []) : []
    const at = Date.parse(time)
    if (mark === undefined || Number.isNaN(at) || hasEnded) continue
    const last = phases.at(-1)
    const name = deploymentPhases.find((phase) => phase === mark)
    if (name !== undefined && last && deploymentPhases.indexOf(name) <= deploymentPhases.indexOf(last.name)) continue
    if (last) Object.assign(last, { to: index, ms: Math.max(0, at - last.startedAt) })
    if (name === undefined) hasEnded = last !== undefined
    else phases.push({ name, from: index, to: lines.length, ms: null, startedAt: at })
  }
  const last = phases.at(-1)
  if (last) last.to = lines.length
  return phases.map(({ name, from, to, ms }) => ({ name, from, to, ms }))
}
