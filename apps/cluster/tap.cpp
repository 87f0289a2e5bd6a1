// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/tap.hpp"

#include "apps/cluster/system.hpp"

#include <linux/ethtool.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <array>
#include <cstdio>
#include <cstring>

namespace echelon::cluster {
namespace {

/// Header in front of each frame: virtio_net_hdr, whose kernel header is no C++.
struct About {
    std::uint8_t flags, kind;
    std::uint16_t headers, payload_of_each, checksum_start, checksum_offset;
};
static_assert(sizeof(About) == 10);

constexpr std::size_t header = sizeof(About);
/// Preamble, checksum and the gap behind it.
constexpr std::size_t around_a_frame = 24;

/// The kernel hands over a packet that stands for several frames; each has its own headers on the wire.
std::size_t bytes_on_wire(const std::vector<unsigned char>& data) {
    About about{};
    std::memcpy(&about, data.data(), header);
    const std::size_t bytes = data.size() - header, each = about.payload_of_each;
    if (about.kind == 0 || each == 0) return bytes + around_a_frame;
    const std::size_t headers =
        about.headers != 0 ? about.headers : 66;  // Ethernet, IPv4, TCP with timestamps
    const std::size_t frames = bytes > headers ? (bytes - headers + each - 1) / each : 1;
    return bytes + (frames - 1) * headers + frames * around_a_frame;
}

/// UCX reads the speed of a card when it weighs transports; the default of a tap is 10 Mbit/s.
void say_speed(const char* name, double rate) {
    const Descriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ethtool_cmd settings{};
    settings.cmd = ETHTOOL_SSET;
    settings.duplex = DUPLEX_FULL;
    settings.autoneg = AUTONEG_DISABLE;
    ethtool_cmd_speed_set(&settings, rate > 0 ? std::max(1U, unsigned(rate / 1e6)) : 100'000U);
    ifreq request{};
    std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_data = reinterpret_cast<char*>(&settings);
    must(ioctl(any.get(), SIOCETHTOOL, &request), "the speed of " + std::string(name));
}

}  // namespace

Tap::Tap(const std::string& name, double rate)
    : device_(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)), room_(70'000) {
    must(device_.get(), "/dev/net/tun");
    ifreq request{};
    std::strncpy(request.ifr_name, name.c_str(), IFNAMSIZ - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    must(ioctl(device_.get(), TUNSETIFF, &request), "a network card " + name);
    must(ioctl(device_.get(), TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4),
         "what " + name + " leaves to the wire");
    say_speed(name.c_str(), rate);
}

std::unique_ptr<Frame> Tap::read() {
    const ssize_t length = ::read(device_.get(), room_.data(), room_.size());
    if (length < ssize_t(header + 14)) return nullptr;
    auto frame = std::make_unique<Frame>();
    frame->data.assign(room_.begin(), room_.begin() + length);
    frame->bytes_on_wire = bytes_on_wire(frame->data);
    return frame;
}

void Tap::write(const Frame& frame) {
    // EIO: the card is down, because the node ends.
    if (::write(device_.get(), frame.data.data(), frame.data.size()) < 0 && errno != EIO && errno != EINVAL)
        refused("a frame cannot be delivered");
}

std::string mac_address(int net, int node) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "02:00:00:%02x:%02x:%02x", unsigned(net), unsigned(node) / 256,
                  unsigned(node) % 256);
    return text.data();
}

std::optional<int> destination(const Frame& frame) {
    const unsigned char* const address = frame.data.data() + header;
    if ((address[0] & 1) != 0) return std::nullopt;
    return address[4] * 256 + address[5];
}

}  // namespace echelon::cluster
