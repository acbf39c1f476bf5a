import { join } from 'node:path'
import { newestNode } from './other-node.ts'
import type { TestPart } from './part.ts'

/** Kept between runs, with its packages and images. */
const tree = '/var/tmp/panel-tests/debian-13'

/** `./panel test` of these filters on Debian 13 with its Node.js 24, whatever this machine runs. */
export function onDebian13(root: string, directory: string, what: string, filters: readonly string[]): TestPart {
  const node = newestNode(root)
  return {
    name: `Debian 13: ${what}`,
    command: [join(root, 'scripts/debian-13.sh'), tree, root, directory, node, './panel', 'test', ...filters],
    env: { PANEL_NODE: node, TEST_WORKERS: '2' }
  }
}
