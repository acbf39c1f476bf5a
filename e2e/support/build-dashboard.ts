import { fileURLToPath } from 'node:url'
import { buildDashboard } from '../../scripts/dashboard.mjs'

/** The dashboard as it is now, for tests that open it. */
export default function setup(): void {
  buildDashboard(fileURLToPath(new URL('../../', import.meta.url)))
}
