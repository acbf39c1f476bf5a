import { createInterface } from 'node:readline/promises'
import { messageOf } from '../text/message-of.ts'
import { step } from './command.ts'
import { type Fix, type FixContext, fixes } from './doctor-fixes.ts'

/** Decides about one remedy; the text is what it would do. */
export type Confirm = (text: string) => Promise<boolean>

/** Carries out the remedies that are confirmed, in order. Resolves with whether all of them succeeded. */
export async function applyFixes(
  context: FixContext,
  confirm: Confirm,
  table: Readonly<Record<string, Fix>> = fixes
): Promise<boolean> {
  let isDone = true
  let count = 0
  for (const [row, fix] of Object.entries(table)) {
    try {
      const text = await fix.plan(context)
      if (text === undefined) continue
      count++
      if (!(await confirm(`${row}: ${text}`))) continue
      await fix.apply(context)
      step(`${row}: done`)
    } catch (error) {
      isDone = false
      step(`${row}: ${messageOf(error)}`)
    }
  }
  if (count === 0) step('There is nothing that can be fixed automatically')
  return isDone
}

/** Asks on the terminal; without one, only tells. */
export async function confirmOnTerminal(text: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    step(`${text}. Run ./panel doctor --fix --yes to do it`)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${text}? [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

export async function confirmAll(text: string): Promise<boolean> {
  step(text)
  return true
}
