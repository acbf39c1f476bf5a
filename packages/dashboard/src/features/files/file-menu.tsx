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
import type { FileAction } from './file-dialog.tsx'
import { fileMessages } from './files.messages.ts'
import { downloadUrl } from './file-actions.ts'
import type { FileNode } from './files.queries.ts'
import { isArchive } from './paths.ts'

interface FileMenuProps extends MenuParts {
  projectId: string
  node: FileNode
  onAction(action: FileAction | 'deleteFile', node: FileNode): void
}

export function FileMenu({ target, onClose, projectId, node, onAction }: FileMenuProps) {
  const t = useMessages(fileMessages)
  const isFolder = node.type === 'dir'
  const actions = [
    { action: 'rename', icon: IconCursorText },
    { action: 'move', icon: IconArrowsMove },
    { action: 'copy', icon: IconCopy },
    { action: 'chmod', icon: IconLock },
    ...(!isFolder && isArchive(node.path) ? [{ action: 'unpack', icon: IconPackageExport } as const] : [])
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
        {actions.map(({ action, icon: Glyph }) => (
          <Menu.Item key={action} leftSection={<Glyph size={16} aria-hidden />} onClick={() => onAction(action, node)}>
            {t(action)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onAction(isFolder ? 'delete' : 'deleteFile', node)}
        >
          {t('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
