import type { FoundFile } from '../../infra/file-store/file-store.ts'
import { fileView } from './file-view.ts'

/** Entries per event-loop tick: under a millisecond of work. */
const sliceLength = 200

export function* renderListing({
  nodes,
  next
}: {
  nodes: readonly FoundFile[]
  next: string | null
}): Generator<string> {
  yield `{"next":${JSON.stringify(next)},"nodes":[`
  for (let from = 0; from < nodes.length; from += sliceLength) {
    const slice = nodes.slice(from, from + sliceLength).map((node) => JSON.stringify(fileView(node)))
    yield `${from === 0 ? '' : ','}${slice.join(',')}`
  }
  yield ']}'
}
