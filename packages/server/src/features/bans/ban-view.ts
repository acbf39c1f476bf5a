import type { AllowedNetwork, Ban } from '@panel/contract/bans'
import type { AllowedNetworkRow, BanRow } from './bans.repository.ts'

export const banView = (row: BanRow): Ban => {
  const { id, address, reason, note, attempts, offences, bannedAt, until, createdBy } = row
  return {
    id,
    address,
    reason,
    note,
    attempts,
    offences,
    bannedAt: bannedAt.toISOString(),
    until: until?.toISOString() ?? null,
    createdBy
  }
}

export const allowedNetworkView = ({ id, network, note, createdAt }: AllowedNetworkRow): AllowedNetwork => ({
  id,
  network,
  note,
  createdAt: createdAt.toISOString()
})
