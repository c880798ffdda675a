/** The kind of a component, which decides which problems it can have. */
export type ComponentKind = 'service' | 'object' | 'part' | 'system';

/** A part of the appliance that a diagnostic can be about. */
export interface Component {
  kind: ComponentKind;
  /** The name inside a sentence, without an article. */
  name: string;
  /** The process, object path or slot that the evidence names. */
  tag: string;
}

function component(kind: ComponentKind, name: string, tag: string): Component {
  return { kind, name, tag };
}

/** All components of the fictional appliance. */
export const COMPONENTS: readonly Component[] = [
  component('service', 'Configuration utility', 'webuid'),
  component('service', 'management REST service', 'restd'),
  component('service', 'traffic engine', 'flowd'),
  component('service', 'configuration daemon', 'confd'),
  component('service', 'health monitor daemon', 'probed'),
  component('service', 'device group synchronization', 'syncd'),
  component('service', 'remote authentication service', 'authd'),
  component('service', 'name resolution cache', 'dnscached'),
  component('service', 'SNMP agent', 'snmpd'),
  component('service', 'log publisher', 'logd'),
  component('service', 'licensing service', 'licd'),
  component('service', 'time service', 'timed'),
  component('service', 'statistics collector', 'statd'),
  component('service', 'command-line shell', 'ash'),
  component('service', 'dynamic routing service', 'routed'),
  component('service', 'certificate manager', 'certd'),
  component('object', 'client TLS profile', '/Common/tls_portal_2024'),
  component('object', 'HTTP profile', '/Common/http_portal_xff'),
  component('object', 'persistence profile', '/Common/cookie_persist_app3'),
  component('object', 'virtual server', '/Common/vs_portal_443'),
  component('object', 'server pool', '/Common/pool_checkout'),
  component('object', 'traffic script', '/Common/script_redirect_legacy'),
  component('object', 'source address pool', '/Common/snat_dmz_out'),
  component('object', 'access policy', '/Common/ap_partners'),
  component('object', 'request filter', '/Common/filter_uploads'),
  component('object', 'data group', '/Common/dg_allowed_networks'),
  component('object', 'wide name', '/Common/www.example.com'),
  component('object', 'VLAN group', '/Common/vg_core'),
  component('part', 'fan tray', 'chassis/fan-2'),
  component('part', 'power supply', 'chassis/psu-1'),
  component('part', 'solid-state drive', 'sda'),
  component('part', 'memory module', 'DIMM_B1'),
  component('part', '40 gigabit transceiver', 'interface 2.1'),
  component('part', 'crypto accelerator', 'accel0'),
  component('part', 'management port', 'mgmt'),
  component('part', 'always-on controller', 'aom'),
  component('system', 'appliance', 'edge-7'),
];
