import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { shownName } from '../../ui/shown-name.ts'
import { useDelayedAct } from '../../ui/use-delayed-act.ts'
import { FileDialog, type FileAct } from './file-dialog.tsx'
import { FileRow } from './file-row.tsx'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { type FileNode, foldersKey } from './files.queries.ts'

/** From so many on only those in sight are drawn; below that the browser's own search finds all. */
const manyRows = 150

/** As long as a dialog takes to go. */
const afterDialogMs = 150

interface FileTableProps {
  projectId: string
  folder: string
  nodes: readonly FileNode[]
}

export function FileTable({ projectId, folder, nodes }: FileTableProps) {
  const t = useMessages(fileMessages)
  const [asked, setAsked] = useState<{ act: FileAct; node: FileNode }>()
  const remove = useDelayedAct({
    run: ({ id }: { id: string; name: string }) =>
      data(api.DELETE('/api/files/{id}/delete', { params: { path: { id: projectId } }, body: { path: id } })),
    stale: [foldersKey(projectId)],
    said: ({ name }) => t('deleted', { name: shownName(name) })
  })
  const there = nodes.filter(({ path }) => !remove.pending.has(path))
  const { body, shown, before, after } = useRowsInSight(there)
  const onAct = (act: FileAct | 'deleteFile', node: FileNode) => {
    if (act === 'deleteFile') remove.start({ id: node.path, name: node.name })
    else setAsked({ act, node })
  }
  const close = () => {
    const path = asked?.node.path ?? ''
    setAsked(undefined)
    // The entry of the menu that asked is gone: its row's button takes the focus, or nothing would have it.
    setTimeout(
      () => document.querySelector<HTMLElement>(`[data-actions="${CSS.escape(path)}"]`)?.focus(),
      afterDialogMs
    )
  }
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`} aria-rowcount={there.length + 1}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col" className={card.end}>
              {t('size')}
            </th>
            <th scope="col">{t('mode')}</th>
            <th scope="col">{t('changed')}</th>
            <td />
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map((node) => (
            <FileRow key={node.path} projectId={projectId} folder={folder} node={node} onAct={onAct} />
          ))}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
      {asked && <FileDialog projectId={projectId} {...asked} onClose={close} />}
    </>
  )
}

/** As the styles have it: a card on a phone. */
const rowHeight = () => (matchMedia('(max-width: 56.25em)').matches ? 64 : 41)

function useRowsInSight(nodes: readonly FileNode[]) {
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const isWindowed = nodes.length >= manyRows
  const rows = useWindowVirtualizer({
    count: nodes.length,
    enabled: isWindowed,
    estimateSize: rowHeight,
    overscan: 10,
    scrollMargin: body ? body.getBoundingClientRect().top + window.scrollY : 0
  })
  if (!isWindowed) return { body: setBody, shown: nodes, before: 0, after: 0 }
  const items = rows.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return {
    body: setBody,
    shown: items.map(({ index }) => nodes[index]!),
    before: first ? first.start - rows.options.scrollMargin : 0,
    after: last ? rows.getTotalSize() - (last.end - rows.options.scrollMargin) : 0
  }
}
