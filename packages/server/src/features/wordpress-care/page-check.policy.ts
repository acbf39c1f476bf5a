import type { WordpressTaskProblem } from '@panel/contract/wordpress-care'

/** The last one loads the administration without signing in. */
export const checkedPaths = ['/', '/wp-login.php', '/wp-admin/admin-ajax.php'] as const

export interface CheckedPage {
  path: string
  /** 0: no answer in time. */
  status: number
  isBroken: boolean
}

/** PHP's own words, which a page has if the error came after the status. */
export const isBrokenPage = (body: string): boolean =>
  /(?:^|>|\n)(?:PHP )?(?:Fatal|Parse) error(?:<\/b>)?:\s|There has been a critical error on this website/.test(body)

export function pageProblem(
  before: readonly CheckedPage[],
  after: readonly CheckedPage[],
  component: string
): WordpressTaskProblem[number] | undefined {
  for (const { path, status, isBroken } of after) {
    const previous = before.find((page) => page.path === path)
    if (!previous) continue
    if (isBroken && !previous.isBroken) return { code: 'PAGE_BROKEN', values: { component, path } }
    if (status !== previous.status)
      return { code: 'PAGE_CHANGED', values: { component, path, before: previous.status, after: status } }
  }
  return undefined
}

/**
 * Another content may answer otherwise than before, but not with an error. The administration may wait for servers that a copy
 * does not reach, visitors not.
 */
export function copyProblem(pages: readonly CheckedPage[]): WordpressTaskProblem[number] | undefined {
  const broken = pages.find(({ path, status, isBroken }) => isBroken || status >= 500 || (status === 0 && path === '/'))
  return broken && { code: 'COPY_BROKEN', values: { path: broken.path, status: broken.status } }
}
