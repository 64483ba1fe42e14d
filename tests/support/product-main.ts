import { readConfig } from '#runtime/main/config.ts';
import { startProduct } from '#runtime/main/product.ts';

// The product as `npm start` runs it, without the screen; tells its address and token to the process that started it.
const product = await startProduct(readConfig(process.env, {}));
process.stdout.write(`${JSON.stringify(product.web?.api ?? { url: product.url, token: '' })}\n`);
const end = (): void => void product.stop().then(() => process.exit());
process.once('SIGTERM', end);
process.once('SIGINT', end);
