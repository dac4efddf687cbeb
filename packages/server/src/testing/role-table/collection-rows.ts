import * as collections from '@proofdesk/contract/collections'
import * as comments from '@proofdesk/contract/comments'
import * as contents from '@proofdesk/contract/contents'
import * as submissions from '@proofdesk/contract/submissions'
import { makePdf } from '../small-files.ts'
import { plantComment, plantFiledCollection } from './plant.ts'
import { listRows, type RoleRow, type Statuses } from './role-row.ts'

// Columns:               visitor, unverified, owner, other, staff, admin, superuser, deactivated
const SIGNED_IN: Statuses = [401, 200, 200, 200, 200, 200, 200, 401]
const SEES_IT: Statuses = [401, 200, 200, 404, 200, 404, 200, 401]
/** For its ordinary owner alone. @param status How they are answered. */
const owners = (status: number): Statuses => [401, 403, status, 404, 403, 404, 403, 401]
const adds = (status: number): Statuses => [401, 403, status, 404, 403, 403, 403, 401]

/** Its ordinary owner's while the collection is open. */
const WHILE_OPEN = {
  opened: owners(200),
  answered: owners(200),
  sent: owners(409),
  claimed: owners(409),
  approved: owners(409),
  expired: owners(409),
} as const

export const COLLECTION_ROWS: RoleRow[] = [
  ...listRows(collections.listCollections, { '': SIGNED_IN }, () => ({})),
  ...listRows(collections.countCollections, { '': SIGNED_IN }, () => ({})),
  ...listRows(collections.createCollection, { '': [401, 403, 201, 201, 403, 403, 403, 401] }, () => ({
    body: { title: 'Degree' },
  })),
  ...listRows(
    collections.showCollection,
    { opened: SEES_IT, answered: SEES_IT, sent: SEES_IT, claimed: SEES_IT, approved: SEES_IT, expired: SEES_IT },
    async (scene, state) => ({ params: { id: (await plantFiledCollection(scene, state)).id } }),
  ),
  ...listRows(collections.renameCollection, WHILE_OPEN, async (scene, state) => ({
    params: { id: (await plantFiledCollection(scene, state)).id },
    body: { title: 'Diploma' },
  })),
  ...listRows(
    collections.deleteCollection,
    {
      opened: owners(204),
      answered: owners(204),
      sent: owners(409),
      claimed: owners(409),
      approved: owners(409),
      expired: owners(204),
    },
    async (scene, state) => ({ params: { id: (await plantFiledCollection(scene, state)).id } }),
  ),
  ...[collections.sendCollection, collections.sendCollectionByPost].flatMap((route) =>
    listRows(route, WHILE_OPEN, async (scene, state) => ({
      params: { id: (await plantFiledCollection(scene, state)).id },
    })),
  ),
  ...listRows(
    submissions.listSubmissions,
    { opened: SEES_IT, answered: SEES_IT, sent: SEES_IT, claimed: SEES_IT, approved: SEES_IT, expired: SEES_IT },
    async (scene, state) => ({ params: { id: (await plantFiledCollection(scene, state)).id } }),
  ),
  ...listRows(submissions.serveDocument, { sent: SEES_IT }, async (scene, state) => {
    const { id } = await plantFiledCollection(scene, state, true)
    await scene.server.settle()
    return { params: { id, number: 1 } }
  }),
]

export const CONTENT_ROWS: RoleRow[] = [
  ...listRows(
    contents.listContents,
    { opened: SEES_IT, sent: SEES_IT, approved: SEES_IT, expired: SEES_IT },
    async (scene, state) => ({ query: { collection: (await plantFiledCollection(scene, state)).id } }),
  ),
  ...listRows(
    contents.createContent,
    {
      opened: adds(201),
      answered: adds(201),
      sent: adds(409),
      claimed: adds(409),
      approved: adds(409),
      expired: adds(409),
    },
    async (scene, state) => ({
      body: { collection: String((await plantFiledCollection(scene, state)).id) },
      file: { name: 'degree.pdf', bytes: makePdf() },
    }),
  ),
  ...listRows(
    contents.serveContent,
    { opened: SEES_IT, sent: SEES_IT, approved: SEES_IT, expired: SEES_IT },
    async (scene, state) => ({ query: { content_id: (await plantFiledCollection(scene, state)).contentId } }),
  ),
  ...listRows(
    contents.showThumbnail,
    { opened: SEES_IT, sent: SEES_IT, approved: SEES_IT, expired: SEES_IT },
    async (scene, state) => ({ params: { id: (await plantFiledCollection(scene, state)).contentId } }),
  ),
  ...listRows(
    contents.deleteContent,
    {
      opened: [401, 403, 204, 404, 204, 404, 204, 401],
      answered: [401, 403, 204, 404, 204, 404, 204, 401],
      sent: [401, 403, 409, 404, 204, 404, 204, 401],
      claimed: [401, 403, 409, 404, 409, 404, 409, 401],
      approved: [401, 403, 409, 404, 409, 404, 409, 401],
      expired: [401, 403, 409, 404, 409, 404, 409, 401],
    },
    async (scene, state) => ({ params: { id: (await plantFiledCollection(scene, state)).contentId } }),
  ),
  ...listRows(contents.renameContent, WHILE_OPEN, async (scene, state) => ({
    params: { id: (await plantFiledCollection(scene, state)).contentId },
    body: { title_type: 'TYPE2' },
  })),
  ...listRows(contents.replaceContent, WHILE_OPEN, async (scene, state) => ({
    params: { id: (await plantFiledCollection(scene, state)).contentId },
    body: {},
    file: { name: 'diploma.pdf', bytes: makePdf() },
  })),
  ...listRows(contents.orderContents, WHILE_OPEN, async (scene, state) => {
    const { id, contentId } = await plantFiledCollection(scene, state)
    return { body: { collection: id, contents: [contentId] } }
  }),
]

const COMMENTS_ON_IT: Statuses = [401, 403, 201, 404, 201, 404, 201, 401]

export const COMMENT_ROWS: RoleRow[] = [
  ...listRows(comments.listComments, { opened: SEES_IT, sent: SEES_IT, expired: SEES_IT }, async (scene, state) => ({
    query: { collection: (await plantFiledCollection(scene, state)).id },
  })),
  ...listRows(
    comments.createComment,
    { opened: COMMENTS_ON_IT, sent: COMMENTS_ON_IT, approved: COMMENTS_ON_IT, expired: COMMENTS_ON_IT },
    async (scene, state) => ({ body: { text: 'Hello', collection: (await plantFiledCollection(scene, state)).id } }),
  ),
  ...listRows(
    comments.deleteComment,
    {
      'the owner’s comment': owners(204),
      'none there': [401, 404, 404, 404, 404, 404, 404, 401],
    },
    async (scene, state) => {
      const { id } = await plantFiledCollection(scene, 'opened')
      return { params: { id: state === 'none there' ? 999_999 : await plantComment(scene, id) } }
    },
  ),
]
