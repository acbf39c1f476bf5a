import { Menu } from '@mantine/core'
import {
  IconArrowsMove,
  IconCopy,
  IconCursorText,
  IconDownload,
  IconLock,
  IconPackageExport,
  IconTrash
} from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import type { MenuParts } from '../../ui/lazy-menu.tsx'
import type { FileAct } from './file-dialog.tsx'
import { fileMessages } from './files.messages.ts'
import { downloadUrl, type FileNode } from './files.queries.ts'
import { isArchive } from './paths.ts'

interface FileMenuProps extends MenuParts {
  projectId: string
  node: FileNode
  onAct(act: FileAct | 'deleteFile', node: FileNode): void
}

export function FileMenu({ target, onClose, projectId, node, onAct }: FileMenuProps) {
  const t = useMessages(fileMessages)
  const isFolder = node.type === 'dir'
  const acts = [
    { act: 'rename', icon: IconCursorText },
    { act: 'move', icon: IconArrowsMove },
    { act: 'copy', icon: IconCopy },
    { act: 'chmod', icon: IconLock },
    ...(!isFolder && isArchive(node.path) ? [{ act: 'unpack', icon: IconPackageExport } as const] : [])
  ] as const
  return (
    <Menu defaultOpened onClose={onClose} width={220}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={downloadUrl(projectId, node)}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t(isFolder ? 'downloadFolder' : 'download')}
        </Menu.Item>
        {acts.map(({ act, icon: Glyph }) => (
          <Menu.Item key={act} leftSection={<Glyph size={16} aria-hidden />} onClick={() => onAct(act, node)}>
            {t(act)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onAct(isFolder ? 'delete' : 'deleteFile', node)}
        >
          {t('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
