const tails = new Map<string, Promise<unknown>>()

/**
 * One git command at a time in a project's repository. Within this process: builds of one project never overlap anyway, so only
 * a connect can meet one, and git's own lock files refuse the second of two processes.
 */
export async function withWorkspaceLock<T>(projectId: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(projectId) ?? Promise.resolve()
  const result = before.then(work, work)
  const tail = result.catch(() => {}) // The caller has the same failure in `result`.
  tails.set(projectId, tail)
  try {
    return await result
  } finally {
    if (tails.get(projectId) === tail) tails.delete(projectId)
  }
}
