import type { TokenScope } from '@panel/contract/api-tokens'
import type { Role } from '@panel/contract/users'
import type { Dependencies } from '../dependencies.ts'

/** Who asks on the live channel, as far as whether a thing is theirs needs it. */
interface LiveCaller {
  userId: string
  role: Role
}

/** A client of the live channel that follows something. */
export interface LiveFollower {
  caller: LiveCaller
  /**
   * Sends an event. Resolves when the client has said that it took it, so that whoever waits for it is no faster than the client; rejects
   * when the subscription has ended.
   */
  send(event: string, data: unknown): Promise<void>
  /** Sends an event that a later one replaces: to a client that has not taken the last ones yet, it is not sent. */
  sendLatest(event: string, data: unknown): void
  /** Fires when the client has ended the subscription or is gone, or may no longer have it. */
  signal: AbortSignal
}

/** Something that a client of the live channel may follow until it ends it. */
export interface LiveSubscription<Input = never> {
  /** What the client says with it. */
  input: { parse(data: unknown): unknown }
  /** What an API token needs for it, as it would for reading the same. */
  scope: TokenScope
  /** Rejects with what the API answers where it is not the caller's. Asked anew while it is followed, so that it ends with the right to it. */
  authorize(deps: Dependencies, caller: LiveCaller, input: Input): Promise<unknown>
  /** Until `signal` fires, or there is nothing more to come. */
  follow(deps: Dependencies, follower: LiveFollower, input: Input): Promise<unknown>
}

/** Checks that what `parse` gives is what the functions take. */
export const liveSubscription = <Input>(
  definition: LiveSubscription<Input> & { input: { parse(data: unknown): Input } }
): LiveSubscription => definition
