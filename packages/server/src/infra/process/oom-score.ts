import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Who ends first where the machine has no memory left, as `oom_score_adj` of proc(5) has it: a thousandth of the machine's memory each, on top
 * of what a process has. Tenants go before the tools that work for one of them, those before the database engines of all, and panel and store
 * last. What lies between them, the proxy for one, stays at 0.
 */
export const oomScore = { panel: -500, neutral: 0, databaseEngine: 200, tool: 300, tenant: 500 } as const

/** Undefined where it has ended. */
export function readOomScore(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'))
  } catch {
    return undefined
  }
}

/** Every process inherits that of its parent, so it is set at once after a start. Going below what it was takes root's CAP_SYS_RESOURCE. */
export function setOomScore(pid: number, score: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(score))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Without the right the order of the others still holds; and it may have ended.
    if (!['EACCES', 'EPERM', 'ENOENT', 'ESRCH'].includes(String(code))) throw error
  }
}
