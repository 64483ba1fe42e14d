import * as z from 'zod';
import { fail, toFailure } from '#contracts/errors.ts';
import { ApproveFolder, LibraryRootView, LibraryView } from '#contracts/http/library.ts';
import type { LibraryRoot } from '#contracts/ports/library.ts';
import { presentLibraryRoot } from '../../presenters/library-root.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';

const ById = z.object({ root_id: z.string().min(1).max(200) });

const list = defineRoute({
  method: 'get',
  path: '/library',
  summary: 'Folders that are searched, with the state of their index',
  access: 'signed_in',
  answer: { status: 200, schema: LibraryView, description: 'Every approved root' },
  handle: async (gateway) => {
    const [roots, progress] = await Promise.all([gateway.library.roots(), gateway.library.progress()]);
    return {
      roots: roots.map((root) =>
        presentLibraryRoot(
          root,
          progress.find((p) => p.rootId === root.rootId),
        ),
      ),
    };
  },
});

const approve = defineRoute({
  method: 'post',
  path: '/library/roots',
  summary: 'Approve a folder of this machine and begin to index it',
  access: 'signed_in',
  body: ApproveFolder,
  answer: { status: 201, schema: LibraryRootView, description: 'Approved; approving twice is one root' },
  handle: async (gateway, { body }) => {
    const root = await gateway.library.approve(body.path, body.label);
    return presentRoot(gateway, root);
  },
});

const reindex = defineRoute({
  method: 'post',
  path: '/library/roots/:root_id/reindex',
  summary: 'Read again what changed in a folder',
  access: 'signed_in',
  params: ById,
  answer: { status: 202, schema: LibraryRootView, description: 'Begun; its state is in the list' },
  handle: async (gateway, { params }) => {
    const root = await requireRoot(gateway, params.root_id);
    // Reading a folder may take minutes; its progress is told by the list.
    gateway.library.reindex(root.rootId).catch((thrown: unknown) => {
      gateway.logger.warn('a folder could not be indexed again', { rootId: root.rootId, failure: toFailure(thrown) });
    });
    return presentRoot(gateway, root);
  },
});

const withdraw = defineRoute({
  method: 'delete',
  path: '/library/roots/:root_id',
  summary: 'Forget the index of a folder; files and sources read earlier stay',
  access: 'signed_in',
  params: ById,
  answer: { status: 204, description: 'Withdrawn' },
  handle: async (gateway, { params }) => {
    const root = await requireRoot(gateway, params.root_id);
    await gateway.library.withdraw(root.rootId);
  },
});

async function requireRoot(gateway: Gateway, rootId: string): Promise<LibraryRoot> {
  const roots = await gateway.library.roots();
  return roots.find((root) => root.rootId === rootId) ?? fail('resource.not_found', 'there is no such folder');
}

async function presentRoot(gateway: Gateway, root: LibraryRoot) {
  const progress = await gateway.library.progress();
  return presentLibraryRoot(
    root,
    progress.find((one) => one.rootId === root.rootId),
  );
}

export const libraryRoutes: readonly Route[] = [list, approve, reindex, withdraw];
