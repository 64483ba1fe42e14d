// Preloaded into every command that the bootstrap starts.
// When the bootstrap disappears without having passed a signal on (kill -9), the channel closes and the command ends in its usual
// orderly way. The channel is unreferenced, so that it never keeps a finished command alive.

if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
