import type { AccountHooks } from '../feature.ts'
import { failImportsOf } from './mailbox-imports.repository.ts'

export const accountHooks: AccountHooks = {
  async suspended(deps, trx, userId) {
    await failImportsOf(trx, userId, 'The account was suspended. Start the import again once it is active.', deps.now())
  },
  async deleted(deps, trx, userId) {
    await failImportsOf(trx, userId, 'The account was deleted', deps.now())
  }
}
