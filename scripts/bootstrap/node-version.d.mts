export function describeUnsuitableNode(version: string, path: string): string;
