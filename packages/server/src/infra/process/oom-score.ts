import { readFileSync, writeFileSync } from 'node:fs'

/**
 * `oom_score_adj` values (proc(5), thousandths of memory): decides who is killed first when memory runs out. Tenants go
 * first, then tools that work for one of them, then the shared database engines; panel and store go last. Everything
 * else, such as the proxy, stays at 0.
 */
export const oomScore = { panel: -500, neutral: 0, databaseEngine: 200, tool: 300, tenant: 500 } as const

export function readOomScore(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'))
  } catch {
    return undefined
  }
}

/** Children inherit the score, so set it right after the start. Lowering it requires CAP_SYS_RESOURCE. */
export function setOomScore(pid: number, score: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(score))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Without the permission, the other processes' order still holds. The process may also have ended.
    if (!['EACCES', 'EPERM', 'ENOENT', 'ESRCH'].includes(String(code))) throw error
  }
}
