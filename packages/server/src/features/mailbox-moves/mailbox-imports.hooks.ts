import type { AccountHooks } from '../feature.ts'
import { failImportsOf } from './mailbox-imports.repository.ts'

export const accountHooks: AccountHooks = {
  async suspended(deps, trx, userId) {
    await failImportsOf(trx, userId, 'The account was suspended; import again when it is not any more', deps.now())
  },
  async deleted(deps, trx, userId) {
    await failImportsOf(trx, userId, 'The account was deleted', deps.now())
  }
}
