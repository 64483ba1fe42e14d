import { join } from 'node:path';
import { fail } from '#contracts/errors.ts';
import { readOrCreateSecret } from '#gateway/access/secret-file.ts';
import { createGateway } from '#gateway/app.ts';
import { helpDir, productVersion, projects } from './facts.ts';
import { apiTokenPath, type RunningInstance } from './instance-file.ts';
import { renderMetrics } from './metrics.ts';
import type { ProcessParts } from './process-parts.ts';
import { createReadiness } from './readiness.ts';
import { systemClock, systemRandomness } from './system-time.ts';
import { createViewerLink } from './viewer-link.ts';

export type Web = {
  readonly url: string;
  readonly api: RunningInstance;
  /** A path that signs in once, to put behind `url`. */
  signInPath(): string;
  close(): Promise<void>;
};

/** The web interface, listening. */
export async function openWeb(parts: ProcessParts, clientDir: string | undefined): Promise<Web> {
  const { config, database, host } = parts;
  const { library } = parts.research;
  if (library === null) fail('actor.defect', 'the web interface administers the library and has none');
  const token = await readOrCreateSecret(apiTokenPath(config.dataDir));
  const viewerLink = createViewerLink(parts.wire.bus);
  const gateway = createGateway({
    client: host.client,
    streams: host.streams,
    inspection: host.inspection,
    reads: database.reads,
    blobs: parts.blobs,
    library,
    models: parts.models.administration,
    viewer: database.viewer,
    viewerLink,
    ready: createReadiness({ ...parts, library }),
    metrics: () => Promise.resolve(renderMetrics(host.stats(), parts.wire.look().ok, viewerLink.staleFrames)),
    access: {
      sessionSecret: await readOrCreateSecret(join(config.dataDir, 'keys', 'session')),
      apiToken: token,
      projects,
    },
    clock: systemClock,
    randomness: systemRandomness,
    logger: parts.logger,
    version: productVersion,
    engine: parts.models.administration.view().engine,
    language: config.language,
    staticDir: clientDir ?? join(config.dataDir, 'no-client'),
    helpDir,
    allowedOrigins: [],
  });
  gateway.attachSockets();
  const { url } = await gateway.listen({ host: config.host, port: config.port });
  return { url, api: { url, token }, signInPath: () => gateway.issueSignInPath(), close: () => gateway.close() };
}
