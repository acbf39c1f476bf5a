import { fileURLToPath } from 'node:url'
import { prepare } from '../../scripts/prepare.mjs'

export default function setup(): void {
  if (!prepare(fileURLToPath(new URL('../../', import.meta.url)), { pages: true }))
    throw new Error('the dashboard could not be built')
}
