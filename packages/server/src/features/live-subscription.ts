import type { TokenScope } from '@panel/contract/api-tokens'
import type { Role } from '@panel/contract/users'
import type { Dependencies } from '../dependencies.ts'

interface LiveCaller {
  userId: string
  role: Role
}

export interface LiveFollower {
  caller: LiveCaller
  /** Resolves when the client acknowledges the event (backpressure); rejects when the subscription has ended. */
  send(event: string, data: unknown): Promise<void>
  /** Sends an event that the next one supersedes: skipped while the client is behind. */
  sendLatest(event: string, data: unknown): void
  /** Fires when the client unsubscribes or disconnects, or loses access. */
  signal: AbortSignal
}

/** A stream that a client of the live channel can subscribe to. */
export interface LiveSubscription<Input = never> {
  input: { parse(data: unknown): unknown }
  scope: TokenScope
  /** Rejects if the caller has no access. Repeated while the subscription runs, so that it ends with the access. */
  authorize(deps: Dependencies, caller: LiveCaller, input: Input): Promise<unknown>
  follow(deps: Dependencies, follower: LiveFollower, input: Input): Promise<unknown>
}

/** Checks that the output of `parse` matches the input of the functions. */
export const liveSubscription = <Input>(
  definition: LiveSubscription<Input> & { input: { parse(data: unknown): Input } }
): LiveSubscription => definition
