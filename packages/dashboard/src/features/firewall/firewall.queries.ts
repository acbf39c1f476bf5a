import { queryOptions } from '@tanstack/react-query'
import { api, data, isApiError, type Schema } from '../../api/client.ts'

export type FirewallState = Schema<'FirewallState'>
export type FirewallRule = Schema<'FirewallRule'>
export type FirewallPreset = Schema<'FirewallPreset'>
export type Ruleset = Pick<FirewallState, 'enabled' | 'defaultAction' | 'rules'>

const pendingPollMs = 2_000

export const firewallQuery = queryOptions({
  queryKey: ['firewall'],
  queryFn: () => data(api.GET('/api/firewall')),
  // The server reverts a change automatically.
  refetchInterval: ({ state }) => (state.data?.pending ? pendingPollMs : false)
})

interface Change {
  version: number
  allowSshLockout: boolean
}

export const saveRules = (ruleset: Ruleset, change: Change) =>
  data(api.PUT('/api/firewall', { body: { ...ruleset, ...change } }))

export const importRules = (document: Schema<'FirewallExport'>, change: Change) =>
  data(api.POST('/api/firewall/import', { body: { document, ...change } }))

export const revertChange = () => data(api.POST('/api/firewall/revert'))

export const exportAddress = '/api/firewall/export'

// A browser keeps up to six connections to a server, each of which may be older than the change.
const attempts = 8

/**
 * Confirms over a connection that is newer than the change. Scripts cannot choose the connection, so each attempt first
 * closes one, until the browser has to open a new one.
 */
export async function confirmChange(changeId: string): Promise<FirewallState> {
  for (let attempt = 1; ; attempt++) {
    // The panel's proxy closes the connection without a response.
    await api.POST('/api/firewall/reconnect').catch(() => undefined)
    try {
      return await data(api.POST('/api/firewall/confirm', { body: { changeId } }))
    } catch (error) {
      if (!isApiError(error) || error.code !== 'FIREWALL_CONNECTION_OLD' || attempt === attempts) throw error
    }
  }
}
